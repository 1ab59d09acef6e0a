/** Imports from one feature into another that pass its face. This list may only shrink. */
export const importsPastFace: readonly string[] = [];

/** Files with statements of SQL that are no stores. This list may only shrink. */
export const sqlOutsideStores: readonly string[] = [];

/** Tables that a store of another feature touches. This list may only shrink. */
export const foreignTables: readonly string[] = [];
