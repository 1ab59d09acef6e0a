/** Why a query is not run, in words for its author. */
export class QueryRefused extends Error {}
