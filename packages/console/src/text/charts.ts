/** Words of the charts. */
export const chartTexts = {
  view: (title: string) => `How to show ${title}`,
  chart: 'Chart',
  table: 'Table',
  day: 'Day',
  hour: 'Hour',
  nothing: 'Nothing in this time',
} as const;
