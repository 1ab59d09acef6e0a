const minute = 60_000;
const day = 86_400_000;

/** "Now", "2 m", "11:20", "Tue", "3 Nov": short enough for a list. */
export function sayShortTime(time: string, now = new Date()): string {
  const at = new Date(time);
  const age = now.getTime() - at.getTime();
  if (age < minute) return 'Now';
  if (age < 60 * minute) return `${Math.floor(age / minute)} m`;
  if (at.toDateString() === now.toDateString())
    return at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (age < 7 * day) return at.toLocaleDateString('en-GB', { weekday: 'short' });
  return at.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(at.getFullYear() !== now.getFullYear() && { year: '2-digit' }),
  });
}
