/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const channelsRoutes = {
  'channels.receive': 'POST /v1/channels/{deployment_id}/{channel}',
} as const;
