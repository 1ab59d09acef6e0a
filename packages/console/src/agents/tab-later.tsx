import { agentTexts } from '../text/agents.ts';
import { t } from '../text/en.ts';
import { EmptyState } from '../ui/states.tsx';

/** A tab whose page is not built: it says what it is for and where the API has it. */
export function TabLater({ tab }: { tab: keyof typeof agentTexts.later }) {
  return (
    <div className="flex-1 overflow-y-auto">
      <EmptyState {...agentTexts.later[tab]}>
        <a href="/docs" className="font-medium">
          {t.shell.notYet.reference}
        </a>
      </EmptyState>
    </div>
  );
}
