import { useQuery } from '@tanstack/react-query';
import { ListFilter } from 'lucide-react';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Select } from '../../ui/select.tsx';
import type { ListFilters, ListState } from '../routes.tsx';

interface FilterMenuProps {
  filters: ListFilters;
  onChange: (change: ListFilters) => void;
}

/** Which conversations the list shows. */
export function FilterMenu({ filters, onChange }: FilterMenuProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label={t.chat.list.filter}
      align="end"
      open={open}
      onOpenChange={setOpen}
      className="w-70"
      trigger={
        <IconButton
          label={t.chat.list.filter}
          icon={<ListFilter size={16} />}
          on={Boolean(filters.agent || filters.state)}
        />
      }
    >
      <Filters filters={filters} onChange={onChange} />
    </Popover>
  );
}

function Filters({ filters, onChange }: FilterMenuProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { data } = useQuery({
    queryKey: [w, 'agents', 'names'],
    queryFn: () => client.agents.list({ view: 'summary', page_size: 100, sort: 'name' }),
  });
  const { states } = t.chat.list;
  return (
    <div className="flex flex-col gap-3">
      <Field label={t.chat.list.agent}>
        <Select
          value={filters.agent ?? ''}
          empty={t.chat.list.anyAgent}
          options={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(agent) => onChange({ agent: agent || undefined })}
        />
      </Field>
      <Field label={t.chat.list.state}>
        <Select
          value={filters.state ?? ''}
          empty={states.all}
          options={(['unread', 'waiting', 'running', 'archived'] as const).map((value) => ({
            value,
            label: states[value],
          }))}
          onChange={(state) => onChange({ state: (state || undefined) as ListState | undefined })}
        />
      </Field>
    </div>
  );
}
