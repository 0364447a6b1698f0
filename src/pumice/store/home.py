"""Open a store: a folder with the ledger, the artifacts and the key, or the same in memory.

<home>/pumice.sqlite3    events, sessions, names of artifacts, the index for search, accounts of calls
<home>/artifacts/ab/cd/  files named by their content
<home>/identity.key      the key of keyed hashes
<home>/workspace/        plain files of what has left a window, where a client reads them itself
"""

from pathlib import Path

import msgspec

from pumice.domain.event import SessionKey
from pumice.domain.ports import Accounts, Artifacts, Fault, Ledger, Redactor, Search, Shelf, no_fault
from pumice.store.accounts import SqliteAccounts
from pumice.store.artifacts import FileArtifacts
from pumice.store.database import Database, Durability
from pumice.store.failures import explain
from pumice.store.keys import Identity, open_identity, random_identity
from pumice.store.memory import MemoryAccounts, MemoryArtifacts, MemoryLedger, MemorySearch
from pumice.store.private import make_folder
from pumice.store.redact import RuleRedactor
from pumice.store.search import SqliteSearch
from pumice.store.sqlite import SqliteLedger
from pumice.store.workspace import Folders

DATABASE = "pumice.sqlite3"
ARTIFACTS = "artifacts"
KEY = "identity.key"
WORKSPACE = "workspace"


class Store(msgspec.Struct, frozen=True):
    """What the engine keeps things in; everything to be kept goes through `redactor` first."""

    ledger: Ledger
    artifacts: Artifacts
    search: Search
    accounts: Accounts
    redactor: Redactor
    identity: Identity
    shelf: Shelf = Folders(None)

    async def forget(self, key: SessionKey) -> int:
        """Remove everything of a session, for good; returns how many events and artifacts that was."""
        await self.shelf.forget(self.shelf.folder(key))
        await self.search.forget(key)
        await self.accounts.forget(key)
        return await self.artifacts.forget(key) + await self.ledger.forget(key)

    async def close(self) -> None:
        """Finish what is being written and let go of every file."""
        await self.ledger.close()


def open_store(home: Path, *, durability: Durability = "process", busy: float = 5.0, fault: Fault = no_fault) -> Store:
    """Open or create the store in a folder, and finish what a killed process left half done.

    `durability` is what a commit survives (see `Durability`), `busy` the seconds to wait for another process.
    Raises StoreError when the folder cannot be used or was written by a newer pumice.
    """
    try:
        make_folder(home)
    except OSError as error:
        raise explain(error, home) from error
    identity = open_identity(home / KEY)
    database = Database(home / DATABASE, durability=durability, busy=busy, fault=fault)
    artifacts = FileArtifacts(home / ARTIFACTS, database, fault=fault)
    shelf = Folders(home / WORKSPACE)
    ledger, search, accounts = SqliteLedger(database), SqliteSearch(database), SqliteAccounts(database)
    return Store(ledger, artifacts, search, accounts, RuleRedactor(), identity, shelf)


def memory_store() -> Store:
    """A store that leaves nothing behind."""
    return Store(MemoryLedger(), MemoryArtifacts(), MemorySearch(), MemoryAccounts(), RuleRedactor(), random_identity())
