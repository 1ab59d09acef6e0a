/** The notification that there is something to send. */
export const webhooksTopic = 'webhook-deliveries';

/** The purpose that the secret of a webhook is sealed for. */
export const secretPurpose = (id: string) => `webhook ${id}`;
