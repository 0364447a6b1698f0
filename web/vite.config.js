import { defineConfig } from "vite";

/** Puts the one script and the one style sheet into the page, so that it is a single file. */
function inlined() {
  return {
    name: "pumice-inline",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      for (const [name, item] of Object.entries(bundle)) {
        if (item === page) continue;
        page.source = place(page.source, name, item);
        delete bundle[name];
      }
    },
  };
}

function place(html, name, item) {
  const file = name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const [tag, inline] =
    item.type === "chunk"
      ? [new RegExp(`<script[^>]*src="[^"]*${file}"[^>]*></script>`), `<script type="module">${safe(item.code, "script")}</script>`]
      : [new RegExp(`<link[^>]*href="[^"]*${file}"[^>]*>`), `<style>${safe(String(item.source), "style")}</style>`];
  if (!tag.test(html)) throw new Error(`${name} is not referenced by the page, so it cannot be inlined`);
  return html.replace(tag, () => inline);
}

function safe(text, element) {
  return text.replaceAll(`</${element}`, `<\\/${element}`);
}

export default defineConfig({
  base: "./",
  plugins: [inlined()],
  build: { target: "es2022", cssCodeSplit: false, assetsInlineLimit: 1_000_000, modulePreload: false, reportCompressedSize: false },
});
