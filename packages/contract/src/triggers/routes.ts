/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const triggersRoutes = {
  'triggers.list': 'GET /v1/triggers',
  'triggers.previewSchedule': 'POST /v1/triggers/preview',
  'triggers.listOfWorkflow': 'GET /v1/workflows/{workflow_id}/triggers',
  'triggers.createForWorkflow': 'POST /v1/workflows/{workflow_id}/triggers',
  'triggers.listOfAgent': 'GET /v1/agents/{agent_id}/triggers',
  'triggers.createForAgent': 'POST /v1/agents/{agent_id}/triggers',
  'triggers.createForChannel': 'POST /v1/agents/{agent_id}/triggers/{channel_type}',
  'triggers.get': 'GET /v1/triggers/{trigger_id}',
  'triggers.update': 'PATCH /v1/triggers/{trigger_id}',
  'triggers.takeOver': 'POST /v1/triggers/{trigger_id}/take-over',
  'triggers.delete': 'DELETE /v1/triggers/{trigger_id}',
  'triggers.fire': 'POST /v1/triggers/{trigger_id}/fire',
  'triggers.listDeliveries': 'GET /v1/triggers/{trigger_id}/deliveries',
  'triggers.redeliver': 'POST /v1/triggers/{trigger_id}/deliveries/{delivery_id}/redeliver',
  'triggers.receiveHook': 'POST /hooks/{routing_key}',
} as const;
