import { useNavigate, useSearch } from '@tanstack/react-router';
import { CalendarClock } from 'lucide-react';
import { useClient, useMay } from '../../api/session.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { FindBar, TabBody } from '../common/listed.tsx';
import { ChannelList, TriggerList } from './lists.tsx';

const words = resourceTexts.triggers;

/** What starts agents and workflows by itself, and what opens agents to the outside, of the whole workspace. */
export function AllTriggersPage() {
  const { search = '', kind, health } = useSearch({ from: '/signed-in/w/$w/resources/$tab' });
  const navigate = useNavigate({ from: '/w/$w/resources/$tab' });
  const client = useClient();
  const may = useMay();
  const isChannels = kind === 'channels';
  const show = (next: Record<string, string | undefined>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const filter = { search: search.trim(), failing: health === 'failing' };
  const onClear = () => show({ search: undefined, health: undefined });
  return (
    <TabBody>
      <FindBar label={words.find} value={search} onChange={(text) => show({ search: text || undefined })}>
        <Segmented
          label={words.show}
          value={isChannels ? 'channels' : 'triggers'}
          options={[
            { value: 'triggers', label: words.shows.triggers },
            { value: 'channels', label: words.shows.channels },
          ]}
          onChange={(value) => show({ kind: value === 'channels' ? value : undefined })}
        />
        <Segmented
          label={words.health}
          value={filter.failing ? 'failing' : 'all'}
          options={[
            { value: 'all', label: words.healths.all },
            { value: 'failing', label: words.healths.failing },
          ]}
          onChange={(value) => show({ health: value === 'failing' ? value : undefined })}
        />
      </FindBar>
      {!isChannels && <TriggerList {...{ client, filter, onClear }} />}
      {isChannels &&
        (may('agents_edit') ? (
          <ChannelList {...{ client, filter, onClear }} />
        ) : (
          <EmptyState
            icon={<CalendarClock size={20} aria-hidden />}
            title={resourceTexts.mayNot(words.shows.channels)}
            help={resourceTexts.mayNotHelp('agents_edit')}
          />
        ))}
    </TabBody>
  );
}
