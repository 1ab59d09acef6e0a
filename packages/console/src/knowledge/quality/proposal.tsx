import type { AnswerOf, BodyOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useClient, useMay } from '../../api/session.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { searchTexts } from '../../text/knowledge/search.ts';
import { Button } from '../../ui/button.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { useBase } from '../base/base-context.ts';
import { useRefreshBase } from '../base/use-base-actions.ts';
import { baseFormQuery } from '../queries.ts';
import { sayValue } from '../say-value.ts';
import { sayShare } from './figures.tsx';

type Tuning = AnswerOf<'knowledgeBases.tune'>;
const words = searchTexts.quality;
const cell = 'px-3 py-1.5 text-left';

/** Settings that the server proposes, each beside the one in force, with the figures before and after. */
export function Proposal(props: { tuning: Tuning; onTry: () => void; onTaken: () => void }) {
  const { tuning, onTry, onTaken } = props;
  const client = useClient();
  const base = useBase();
  const mayEdit = useMay()('kbs_edit');
  const refresh = useRefreshBase();
  const title = useId();
  const [busy, setBusy] = useState(false);
  const { data: form } = useQuery(baseFormQuery);
  const settings = Object.entries(tuning.settings_);
  const stored = base.settings_ as Readonly<Record<string, unknown>>;
  const take = async () => {
    setBusy(true);
    try {
      const settings_ = tuning.settings_ as BodyOf<'knowledgeBases.update'>['settings_'];
      await client.knowledgeBases.update(base.id, { settings_ }, { ifMatch: base.etag });
      sayToast({ text: words.taken });
      onTaken();
    } catch (error) {
      sayFailure(error);
    }
    await refresh();
    setBusy(false);
  };
  const say = (key: string, value: unknown) => {
    const option = form?.fields.find((field) => field.key === key)?.options?.find((each) => each.value === value);
    return option?.label ?? sayValue(value);
  };
  const compared = tuning.held_out ?? tuning.chosen_on;
  return (
    <section aria-labelledby={title} className="flex flex-col gap-3 rounded-3 border border-line p-4">
      <div role="status">
        <h2 id={title} className="text-section">
          {words.proposal}
        </h2>
      </div>
      <p className="text-dense text-text-2">
        {words.tuned(tuning.tried)} {settings.length === 0 && words.nothingBetter}
      </p>
      {settings.length > 0 && (
        <>
          <table className="num w-full max-w-160 border-collapse text-dense">
            <thead>
              <tr className="border-b border-line text-text-3">
                <th className={cell}>{words.setting}</th>
                <th className={cell}>{words.now}</th>
                <th className={cell}>{words.proposed}</th>
              </tr>
            </thead>
            <tbody>
              {settings.map(([key, value]) => (
                <tr key={key} className="border-b border-line">
                  <th scope="row" className={cell}>
                    {form?.fields.find((field) => field.key === key)?.label ?? key}
                  </th>
                  <td className={cell}>{say(key, stored[key])}</td>
                  <td className={`${cell} font-medium`}>{say(key, value)}</td>
                </tr>
              ))}
              {(['recall_at_25', 'ndcg_at_10'] as const).map((key) => (
                <tr key={key} className="border-b border-line">
                  <th scope="row" className={cell}>
                    {key === 'ndcg_at_10' ? words.names.ndcg_at_10 : words.names.recall_at_k}
                  </th>
                  <td className={cell}>
                    {sayShare(compared.before[key])} {words.before}
                  </td>
                  <td className={`${cell} font-medium`}>
                    {sayShare(compared.after[key])} {words.after}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="text-caption text-text-3">
            {tuning.held_out ? words.heldOut : `${words.chosenOn}. ${words.fewer}`}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={onTry}>{words.tryProposal}</Button>
            <Button look="primary" busy={busy} refused={!mayEdit && baseTexts.needsEdit} onClick={() => void take()}>
              {words.take}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
