import type { AnswerOf } from '@atrium/sdk';
import { TriangleAlert } from 'lucide-react';
import { tableTexts } from '../../text/tables.ts';
import { Banner } from '../../ui/banner.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Select } from '../../ui/select.tsx';
import { SmallTable } from './small-table.tsx';

const words = tableTexts.importIt;
const types = Object.entries(tableTexts.types)
  .filter(([value]) => value !== 'reference')
  .map(([value, label]) => ({ value, label }));
const say = (value: unknown) =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

interface ReportProps {
  report: AnswerOf<'tables.import'>;
  onType: (column: string, type: string) => void;
}

/** What a trial of an import found: types that can be changed, faults by line, the first rows. */
export function ImportReport({ report, onType }: ReportProps) {
  const { lines, inserted, skipped, columns_created: columns, errors, warnings, preview } = report;
  const shown = Object.keys(preview[0]?.values ?? {});
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="flex flex-wrap items-center gap-2 text-dense">
        <span>{words.lines(lines)}</span>
        <Chip tone="ok" dot>
          {words.fits(inserted)}
        </Chip>
        {skipped > 0 && (
          <Chip tone="bad" dot>
            {words.faults(skipped)}
          </Chip>
        )}
      </p>
      {warnings.map(({ column, message }) => (
        <Banner key={`${column} ${message}`} tone="warn" icon={<TriangleAlert size={15} />} title={column}>
          {message}
        </Banner>
      ))}
      {errors.length > 0 && (
        <section>
          <h3 className="mb-1.5 text-label">{words.faultList}</h3>
          <SmallTable
            label={words.faultList}
            titles={[words.line, words.column, words.why]}
            rows={errors.slice(0, 200).map(({ line, column, message }) => [String(line), column, message])}
          />
          {errors.length >= 1000 && <p className="mt-1 text-caption text-text-3">{words.atMost}</p>}
        </section>
      )}
      <section>
        <h3 className="mb-1.5 text-label">{words.columns}</h3>
        {columns.length === 0 ? (
          <p className="text-dense text-text-2">{words.noColumns}</p>
        ) : (
          <ul className="grid grid-cols-2 gap-x-4 gap-y-2 max-phone:grid-cols-1">
            {columns.map(({ name, type, label }) => (
              <li key={name} className="flex items-center gap-2">
                <span className="min-w-0 flex-1 truncate text-dense" title={label}>
                  {name}
                </span>
                <Select
                  aria-label={words.typeOf(name)}
                  value={type}
                  options={types}
                  onChange={(next) => onType(name, next)}
                  className="w-40"
                />
              </li>
            ))}
          </ul>
        )}
      </section>
      {preview.length > 0 && (
        <section>
          <h3 className="mb-1.5 text-label">{words.preview}</h3>
          <SmallTable
            label={words.preview}
            titles={[words.line, ...shown]}
            rows={preview.map(({ line, values }) => [String(line), ...shown.map((column) => say(values[column]))])}
          />
        </section>
      )}
    </div>
  );
}
