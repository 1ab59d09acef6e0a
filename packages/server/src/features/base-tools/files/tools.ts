import type { Settings } from '@atrium/contract/settings/settings.ts';
import { z } from 'zod';
import { type Formulas, FormulasRefused } from '../../../drivers/formulas/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Tool, ToolContext, ToolProvider } from '../../tools/ports.ts';
import { defineTool, ToolError } from '../../tools/service.ts';
import type { ConversationFiles } from '../conversation-files/service.ts';
import { filesIn, toolFile } from '../conversation-files/tool-files.ts';
import { enabledEntry } from '../enabled-entry.ts';
import { renderChart } from './formats/chart.ts';
import { renderCsv } from './formats/csv.ts';
import { renderDocx } from './formats/docx.ts';
import { renderHtml } from './formats/html.ts';
import { findUnprintableCharacter, renderPdf } from './formats/pdf.ts';
import { renderPptx } from './formats/pptx.ts';
import { renderXlsx, sheetName } from './formats/xlsx.ts';

const mostText = 500_000;
const mostCells = 100_000;

const filename = z.string().trim().min(1).max(200).describe('Its name; the ending is added where it is missing');
const made = z.object({ files: z.array(toolFile) });
const cell = z.union([z.string().max(30_000), z.number(), z.boolean(), z.null()]);
const rows = z.array(z.array(cell)).min(1);

/** The name with the extension of its format. */
const named = (name: string, ending: string) =>
  name.toLowerCase().endsWith(`.${ending}`) ? name : `${name.replace(/\.(?:\w{1,5})$/, '')}.${ending}`;

/** Makes files by code, if the settings allow it. */
export type PythonTool = (context: ToolContext, settings: Settings, inline: boolean) => Tool;

const asRecords = (table: readonly (readonly z.output<typeof cell>[])[]) => {
  const [head = [], ...rest] = table;
  return rest.map((row) => Object.fromEntries(head.map((name, index) => [String(name ?? index), row[index] ?? null])));
};

/** Files that an agent makes: they belong to the workspace and the conversation, and the reply shows them. */
export const makeFileTools =
  ({ kept, formulas, python }: { kept: ConversationFiles; formulas: Formulas; python: PythonTool }): ToolProvider =>
  async (_, settings, context): Promise<Tool[]> => {
    const entry = enabledEntry(settings, 'files');
    if (!entry) return [];
    const is = (name: string) => entry[name] === true;
    const inline = is('show_inline');
    const author = (is('custom_author_name') && String(entry['author_name'] ?? '').trim()) || 'Atrium';
    const newer = is('experimental');

    const keep = async (scope: Scope, tool: string, name: string, bytes: Uint8Array, shown = inline) => ({
      files: [await kept.keep(scope, context, { filename: name, bytes, tool, inline: shown })],
    });

    const documentFormat = z.enum(['text', 'html', 'docx', 'pdf', ...(newer ? (['markdown', 'pptx'] as const) : [])]);
    const document = defineTool({
      tool: 'files_make_document',
      description:
        'Makes a document for the user. Write the content in Markdown (headings, lists, tables, bold); text is kept as it is, html may be HTML.' +
        (newer ? ' For pptx each heading begins a slide.' : ''),
      input: z.object({
        filename,
        format: documentFormat,
        content: z.string().min(1).max(mostText),
        title: z.string().max(300).optional(),
      }),
      output: made,
      repeatable: true,
      files: filesIn,
      async run(scope, input) {
        const { format, content } = input;
        const title = input.title ?? input.filename;
        const save = (ending: string, bytes: Uint8Array, shown?: boolean) =>
          keep(scope, 'files_make_document', named(input.filename, ending), bytes, shown);
        if (format === 'text') return save('txt', Buffer.from(content));
        if (format === 'markdown') return save('md', Buffer.from(content));
        // A page is shown inline only where charts are allowed.
        if (format === 'html') return save('html', renderHtml(title, content), inline && is('allow_html_graphs'));
        if (format === 'docx') return save('docx', await renderDocx(title, content, author));
        if (format === 'pptx') return save('pptx', renderPptx(title, content, author));
        const strange = findUnprintableCharacter(content) ?? findUnprintableCharacter(title);
        if (strange !== undefined)
          throw new ToolError(`A PDF made here can't show the character ${strange}; make a docx or html file instead`);
        return save('pdf', await renderPdf(title, content, author));
      },
    });

    const tableFormat = z.enum(['csv', 'xlsx', ...(newer ? (['json'] as const) : [])]);
    const table = defineTool({
      tool: 'files_make_table',
      description: `Makes a spreadsheet for the user. The first row of each sheet names the columns; a text that begins with = is a formula in xlsx.${
        is('enable_formula_eval') ? ' Formulas are computed, and you are told their values.' : ''
      }`,
      input: z.object({
        filename,
        format: tableFormat,
        sheets: z
          .array(z.object({ name: z.string().max(100).optional(), rows }))
          .min(1)
          .max(20),
      }),
      output: made.extend({
        computed: z
          .array(
            z.object({ sheet: z.string(), cell: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) }),
          )
          .optional(),
      }),
      repeatable: true,
      files: filesIn,
      async run(scope, input, signal) {
        const cells = input.sheets.reduce((sum, sheet) => sum + sheet.rows.reduce((n, row) => n + row.length, 0), 0);
        if (cells > mostCells) throw new ToolError(`A table may have ${mostCells} cells; this one has ${cells}`);
        const save = (ending: string, bytes: Uint8Array) =>
          keep(scope, 'files_make_table', named(input.filename, ending), bytes);
        const [first] = input.sheets;
        if (input.format !== 'xlsx' && input.sheets.length > 1)
          throw new ToolError(`A ${input.format} file holds one sheet; make one file for each, or an xlsx`);
        if (input.format === 'csv') return save('csv', renderCsv(first?.rows ?? []));
        if (input.format === 'json')
          return save('json', Buffer.from(JSON.stringify(asRecords(first?.rows ?? []), null, 2)));
        const sheets = input.sheets.map((sheet, index) => ({
          name: sheetName(sheet.name ?? '', index),
          rows: sheet.rows,
        }));
        if (new Set(sheets.map(({ name }) => name.toLowerCase())).size < sheets.length)
          throw new ToolError('Two sheets have the same name');
        const computed = is('enable_formula_eval')
          ? await formulas.compute(sheets, signal).catch((error: unknown) => {
              throw error instanceof FormulasRefused ? new ToolError(error.message) : error;
            })
          : [];
        const saved = await save('xlsx', await renderXlsx(input.filename, sheets, author, computed));
        return computed.length ? { ...saved, computed: computed.slice(0, 500) } : saved;
      },
    });

    const chart = defineTool({
      tool: 'files_make_chart',
      description: 'Draws a chart of numbers for the user: bars, lines or a pie.',
      input: z.object({
        filename,
        kind: z.enum(['bar', 'line', 'pie']),
        title: z.string().max(300),
        labels: z.array(z.string().max(200)).min(1).max(200).describe('What stands below each value'),
        series: z
          .array(z.object({ name: z.string().max(200), values: z.array(z.number()).max(200) }))
          .min(1)
          .max(20),
      }),
      output: made,
      repeatable: true,
      files: filesIn,
      async run(scope, { filename: name, ...input }) {
        if (input.series.some(({ values }) => values.length !== input.labels.length))
          throw new ToolError('Each series needs as many values as there are labels');
        return keep(scope, 'files_make_chart', named(name, 'html'), renderChart(input));
      },
    });

    return [
      document,
      table,
      ...(is('allow_html_graphs') ? [chart] : []),
      ...(is('enable_python_sandbox') ? [python(context, settings, inline)] : []),
    ];
  };
