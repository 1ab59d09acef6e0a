/** The log levels of the protocol, from the least to the most serious. */
export const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevel = (typeof levels)[number];
