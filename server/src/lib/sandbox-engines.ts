/** Kinds of sandboxes; the same words in settings, records and answers. */
export const engineNames = ['bubblewrap', 'just-bash', 'docker', 'e2b', 'daytona'] as const;
export type EngineName = (typeof engineNames)[number];
