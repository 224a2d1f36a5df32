// Saved games in the browser's storage: several of them, the newest first. Nothing leaves the browser.

/**
 * @typedef {{id: string, game: string, title: string, time: number}} Entry
 * @typedef {{document: string | null, ui: object, title: string}} Saved
 */

const INDEX = "deduce.games";
const GAME = "deduce.game.";

/** @returns {Entry[]} the saved games, the newest first */
export function savedGames() {
  try {
    const entries = JSON.parse(localStorage.getItem(INDEX) ?? "[]");
    return Array.isArray(entries) ? entries.filter((entry) => typeof entry?.id === "string") : [];
  } catch {
    return [];
  }
}

/** @param {string} id @returns {string} under which a game is stored */
export function keyOf(id) {
  return GAME + id;
}

/** @returns {string} the id of a new game */
export function newId() {
  return Date.now().toString(36) + Math.floor(Math.random() * 1296).toString(36);
}

/** @param {string} id @returns {(Saved & {game: string}) | null} */
export function load(id) {
  try {
    const entry = savedGames().find((each) => each.id === id);
    const saved = JSON.parse(localStorage.getItem(keyOf(id)) ?? "null");
    return entry && saved ? { ...saved, game: entry.game } : null;
  } catch {
    return null;
  }
}

/**
 * Keep a game; return whether the storage took it.
 * @param {string} id @param {string} game @param {Saved} saved
 */
export function save(id, game, saved) {
  try {
    localStorage.setItem(keyOf(id), JSON.stringify(saved));
    const rest = savedGames().filter((entry) => entry.id !== id);
    const entry = { id, game, title: saved.title, time: Date.now() };
    localStorage.setItem(INDEX, JSON.stringify([entry, ...rest]));
    return true;
  } catch {
    return false;
  }
}

/** @param {string} id */
export function remove(id) {
  try {
    localStorage.removeItem(keyOf(id));
    const rest = savedGames().filter((entry) => entry.id !== id);
    localStorage.setItem(INDEX, JSON.stringify(rest));
  } catch {
    // A storage that cannot be written has nothing to remove.
  }
}
