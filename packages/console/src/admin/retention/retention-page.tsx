import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClient, useWorkspace } from '../../api/session.ts';
import { retentionTexts as words } from '../../text/admin/system.ts';
import { DataJobs } from '../shared/data-jobs.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Card, SectionPage } from '../shared/section-page.tsx';
import { Named, Table } from '../shared/table.tsx';

/** What is kept for how long, and the exports and erasures that people asked for. */
export function RetentionPage() {
  const client = useClient();
  const { id: w } = useWorkspace();
  const query = useQuery({ queryKey: [w, 'system'], queryFn: () => client.system.get() });
  return (
    <SectionPage section="retention" guide="personal-data">
      <Card title={words.title} help={words.help}>
        <Loaded query={query}>
          {({ environment }) => (
            <Table
              label={words.title}
              rows={words.kinds}
              keyOf={({ variable }) => variable}
              columns={[
                { label: words.what, isName: true, cell: ({ what }) => <Named name={what} /> },
                {
                  label: words.kept,
                  cell: ({ variable, usual }) =>
                    environment.some(({ name }) => name === variable) ? words.isSet : words.usual(usual),
                },
                {
                  label: words.variable,
                  cell: ({ variable }) => <span className="font-mono text-code">{variable}</span>,
                },
              ]}
            />
          )}
        </Loaded>
      </Card>
      <Card title={words.chats} help={words.chatsHelp}>
        <p className="flex flex-wrap gap-x-5 gap-y-2 px-4 py-3 text-label font-medium">
          <Link to="/w/$w/admin/$section" params={{ w, section: 'people' }} search={{ tab: 'everyone' }}>
            {words.toPeople}
          </Link>
          <Link to={'/help/personal-data' as string}>{words.guide}</Link>
          <Link to={'/help/encryption' as string}>{words.encryption}</Link>
        </p>
      </Card>
      <DataJobs of="people" />
    </SectionPage>
  );
}
