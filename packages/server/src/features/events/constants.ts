/** The notification that a workspace has new events; its note is the id of the workspace. */
export const eventsTopic = 'events';
