import { sayExactTime } from '../../lib/time.ts';
import { auditTexts as words } from '../../text/admin/audit.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { Button } from '../../ui/button.tsx';
import { useAddress } from '../shared/use-admin.ts';
import type { AuditEntry } from './say-entry.ts';

const sayValue = (value: unknown): string =>
  value === undefined || value === null ? adminTexts.none : typeof value === 'string' ? value : JSON.stringify(value);

/** What a change was before and after, and where it came from. */
export function EntryDetails({ entry }: { entry: AuditEntry }) {
  const [, show] = useAddress();
  const { before, after, target } = entry;
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const facts: [string, string | null][] = [
    [words.facts.operation, entry.operation],
    [words.facts.at, sayExactTime(entry.at)],
    [words.facts.reason, entry.reason],
    [words.facts.address, entry.address],
    [words.facts.program, entry.user_agent],
    [words.facts.request, entry.request_id],
    [words.facts.key, entry.api_key_id],
    [words.facts.session, entry.session_id],
    [words.facts.place, entry.position?.toString() ?? null],
    [words.facts.hash, entry.hash],
  ];
  return (
    <div className="flex flex-col gap-3 border-t border-line bg-bg px-4 py-3 text-dense narrow:pl-11">
      {fields.length === 0 ? (
        <p className="text-text-2">{words.noValues}</p>
      ) : (
        <div className="overflow-x-auto">
          <table className="w-full">
            <thead>
              <tr className="text-left text-text-3">
                {[words.field, words.before, words.after].map((label) => (
                  <th key={label} scope="col" className="py-1 pr-4 font-medium">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {fields.map((field) => (
                <tr key={field} className="border-t border-line align-top">
                  <th scope="row" className="py-1 pr-4 text-left font-medium">
                    {field.replaceAll('_', ' ')}
                  </th>
                  <td className="py-1 pr-4 wrap-anywhere">{sayValue(before?.[field])}</td>
                  <td className="py-1 wrap-anywhere">{sayValue(after?.[field])}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5">
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label} className="contents">
                <dt className="text-text-3">{label}</dt>
                <dd className="font-mono text-code wrap-anywhere">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {target && (
        <Button
          size="small"
          className="self-start"
          onClick={() => show({ record: target.id, name: target.name ?? undefined, entry: undefined })}
        >
          {words.onlyThis}
        </Button>
      )}
    </div>
  );
}
