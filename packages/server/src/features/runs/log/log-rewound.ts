/**
 * A follower has seen events that no node has stored: the node that executed the run has died, and the next one has
 * produced others in their place. The follower begins anew.
 */
export class LogRewound extends Error {}
