import { required } from '../../../../lib/required.ts';
import { escapeHtml, pageOf } from './html.ts';

export interface Chart {
  kind: 'bar' | 'line' | 'pie';
  title: string;
  labels: readonly string[];
  series: readonly { name: string; values: readonly number[] }[];
}

const colors = ['#1d4ed8', '#c2410c', '#047857', '#7c3aed', '#be123c', '#0f766e', '#a16207', '#4b5563'];
const colorOf = (index: number) => required(colors[index % colors.length]);
const [width, height, left, bottom, top] = [760, 420, 64, 60, 20];

const round = (value: number) => Math.round(value * 100) / 100;

/** Round numbers that span the values and zero. */
function scaleOf(values: readonly number[]): number[] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const rough = (high - low || 1) / 5;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((one) => one >= rough) ?? rough;
  const from = Math.floor(low / step) * step;
  const count = Math.ceil((high - from) / step);
  return Array.from({ length: count + 1 }, (_, index) => Number((from + index * step).toPrecision(12)));
}

function axes({ kind, labels, series }: Chart): string {
  const ticks = scaleOf(series.flatMap(({ values }) => values));
  const [low, high] = [required(ticks[0]), required(ticks.at(-1))];
  const yOf = (value: number) => round(height - bottom - ((value - low) / (high - low || 1)) * (height - bottom - top));
  const slot = (width - left - 10) / Math.max(1, labels.length);
  const grid = ticks.map(
    (tick) =>
      `<line x1="${left}" x2="${width - 10}" y1="${yOf(tick)}" y2="${yOf(tick)}" stroke="#e4e7eb"/>` +
      `<text x="${left - 8}" y="${yOf(tick) + 4}" text-anchor="end">${tick}</text>`,
  );
  const names = labels.map(
    (label, index) =>
      `<text x="${round(left + slot * (index + 0.5))}" y="${height - bottom + 18}" text-anchor="middle">${escapeHtml(label.slice(0, 24))}</text>`,
  );
  const drawn = series.map(({ name, values }, at) => {
    const told = (index: number) =>
      `<title>${escapeHtml(`${name}, ${labels[index] ?? ''}: ${values[index] ?? ''}`)}</title>`;
    if (kind === 'line') {
      const points = values.map((value, index) => [round(left + slot * (index + 0.5)), yOf(value)] as const);
      const dots = points.map(([x, y], index) => `<circle cx="${x}" cy="${y}" r="4">${told(index)}</circle>`).join('');
      return `<g fill="${colorOf(at)}"><polyline fill="none" stroke="${colorOf(at)}" stroke-width="2" points="${points.join(' ')}"/>${dots}</g>`;
    }
    const bar = (slot * 0.8) / series.length;
    const bars = values.map((value, index) => {
      const [a, b] = [yOf(value), yOf(0)];
      return `<rect x="${round(left + slot * (index + 0.1) + bar * at)}" y="${Math.min(a, b)}" width="${round(bar)}" height="${round(Math.abs(a - b))}">${told(index)}</rect>`;
    });
    return `<g fill="${colorOf(at)}">${bars.join('')}</g>`;
  });
  return [...grid, ...names, ...drawn].join('\n');
}

function pie({ labels, series }: Chart): string {
  const values = (series[0]?.values ?? []).map((value) => Math.max(0, value));
  const total = values.reduce((sum, value) => sum + value, 0) || 1;
  const [x, y, r] = [width / 2, (height - bottom) / 2 + top, (height - bottom - top) / 2];
  let turned = 0;
  return values
    .map((value, index) => {
      const share = value / total;
      const told = `<title>${escapeHtml(`${labels[index] ?? ''}: ${value} (${round(share * 100)} %)`)}</title>`;
      const fill = `fill="${colorOf(index)}"`;
      if (share > 0.9999) return `<circle cx="${x}" cy="${y}" r="${r}" ${fill}>${told}</circle>`;
      const at = (part: number) =>
        `${round(x + r * Math.sin(2 * Math.PI * part))} ${round(y - r * Math.cos(2 * Math.PI * part))}`;
      const [from, to] = [turned, turned + share];
      turned = to;
      return `<path d="M${x} ${y}L${at(from)}A${r} ${r} 0 ${share > 0.5 ? 1 : 0} 1 ${at(to)}Z" ${fill}>${told}</path>`;
    })
    .join('\n');
}

/** Renders a chart as an HTML page: a drawing with its numbers, without scripts and external content. */
export function renderChart(chart: Chart): Buffer {
  const names = chart.kind === 'pie' ? chart.labels : chart.series.map(({ name }) => name);
  const legend = names.map(
    (name, index) =>
      `<rect x="${left + (index % 5) * 138}" y="${height - 30 + Math.floor(index / 5) * 16}" width="10" height="10" fill="${colorOf(index)}"/>` +
      `<text x="${left + 14 + (index % 5) * 138}" y="${height - 21 + Math.floor(index / 5) * 16}">${escapeHtml(name.slice(0, 18))}</text>`,
  );
  const tall = height + Math.floor(Math.max(0, names.length - 1) / 5) * 16;
  const drawing = chart.kind === 'pie' ? pie(chart) : axes(chart);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${tall}" width="${width}" height="${tall}" role="img" ` +
    `aria-label="${escapeHtml(chart.title)}" font-family="system-ui,sans-serif" font-size="12">\n${drawing}\n${legend.join('')}</svg>`;
  const head = ['', ...chart.series.map(({ name }) => name)].map((text) => `<th>${escapeHtml(text)}</th>`).join('');
  const rows = chart.labels.map(
    (label, index) =>
      `<tr><td>${escapeHtml(label)}</td>${chart.series.map(({ values }) => `<td>${values[index] ?? ''}</td>`).join('')}</tr>`,
  );
  const table = `<details><summary>Numbers</summary><table><tr>${head}</tr>${rows.join('')}</table></details>`;
  return Buffer.from(pageOf(chart.title, `<h1>${escapeHtml(chart.title)}</h1>\n${svg}\n${table}`));
}
