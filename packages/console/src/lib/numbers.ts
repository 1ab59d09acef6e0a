const whole = new Intl.NumberFormat('en');

export const sayNumber = (value: number) => whole.format(value);

/** "82 KB", "1.2 MB". */
export function sayBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, 'KB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** "$0.041": small costs keep three digits. */
export function sayCost(dollars: number): string {
  if (dollars === 0) return '$0';
  return dollars < 1 ? `$${dollars.toFixed(3)}` : `$${dollars.toFixed(2)}`;
}
