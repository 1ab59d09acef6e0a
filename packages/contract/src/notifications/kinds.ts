/** What people are notified of, each with the sentence that mails and browsers show. They name no record. */
export const notificationKinds = {
  approval_asked: 'An agent or a workflow waits for your answer',
  run_failed: 'A run has failed',
  unlock_asked: 'A colleague asks to turn off a lock of an agent',
  unlock_answered: 'Your request to turn off a lock was answered',
  budget_warned: 'A budget is nearly used up',
  budget_reached: 'A budget is used up',
  channel_failing: 'A channel can not deliver',
  trigger_failed: 'A trigger could not start its work',
  webhook_disabled: 'A webhook was switched off',
  tools_held: 'Tools of an MCP server wait to be accepted',
  shared: 'A colleague shared something with you',
} as const;

export type NotificationKind = keyof typeof notificationKinds;
export const notificationKindNames = Object.keys(notificationKinds) as [NotificationKind, ...NotificationKind[]];
