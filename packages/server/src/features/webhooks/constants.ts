/** The bell's topic: something is to be sent. */
export const webhooksTopic = 'webhook-deliveries';

/** What a webhook's secret is sealed for. */
export const secretPurpose = (id: string) => `webhook ${id}`;
