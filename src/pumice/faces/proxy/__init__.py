"""The drop-in proxy: any client in front, any provider behind, the engine between them."""
