import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { modelTexts as words } from '../../text/admin/models.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Card } from '../shared/section-page.tsx';
import { Named, Table } from '../shared/table.tsx';

const PresetDialog = lazyPart(() => import('./preset-dialog.tsx').then((file) => ({ default: file.PresetDialog })));

/** The presets that agents name, each with its models in the order to try them. */
export function Presets({ refused }: { refused: string | false }) {
  const client = useClient();
  const { id } = useWorkspace();
  const query = useQuery({ queryKey: [id, 'presets'], queryFn: () => client.presets.list() });
  const [changed, setChanged] = useState<string>();
  return (
    <Card title={words.presets} help={words.presetsHelp}>
      <Loaded query={query}>
        {(presets) => (
          <Table
            label={words.presets}
            rows={presets}
            keyOf={(preset) => preset.name}
            columns={[
              {
                label: words.preset,
                isName: true,
                cell: ({ label, description }) => <Named name={label} below={description} />,
              },
              {
                label: words.models,
                cell: ({ models }) => (
                  <span className="font-mono text-code wrap-anywhere">{models.join(', ') || words.nothing}</span>
                ),
              },
              {
                label: words.change1,
                isBare: true,
                isWide: true,
                cell: ({ name, label }) => (
                  <Button size="small" refused={refused} onClick={() => setChanged(name)}>
                    {words.change1}
                    <span className="sr-only"> {label}</span>
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <Suspense>{changed && <PresetDialog name={changed} onClose={() => setChanged(undefined)} />}</Suspense>
    </Card>
  );
}
