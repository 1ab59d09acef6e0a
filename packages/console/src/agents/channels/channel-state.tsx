import { CircleAlert, Hourglass, PauseCircle } from 'lucide-react';
import { useClient } from '../../api/session.ts';
import { sayTime } from '../../lib/time.ts';
import { agentTabTexts } from '../../text/agent-tabs.ts';
import { agentTexts } from '../../text/agents.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { type Deployment, useRefreshDeployments } from './deployments.ts';

const words = agentTabTexts.channels;

/** What is wrong with a channel, or still to do until its first message came. */
export function ChannelState({ deployment }: { deployment: Deployment }) {
  const { id, agent_id, channel, enabled, paused_reason, last_error, last_message_at, may } = deployment;
  const client = useClient();
  const refresh = useRefreshDeployments();
  const takeOver = async () => {
    try {
      await client.deployments.takeOver(agent_id, id);
      sayToast({ text: agentTabTexts.triggers.takenOver });
    } catch (error) {
      sayFailure(error);
    }
    await refresh();
  };
  return (
    <>
      {paused_reason && (
        <Banner
          tone="warn"
          icon={<PauseCircle size={16} aria-hidden />}
          title={agentTabTexts.triggers.paused[paused_reason]}
          action={
            <Button size="small" refused={!may?.['edit'] && agentTexts.needsEdit} onClick={() => void takeOver()}>
              {agentTabTexts.triggers.takeOver}
            </Button>
          }
        >
          {agentTabTexts.triggers.pausedHelp}
        </Banner>
      )}
      {last_error && (
        <Banner tone="bad" icon={<CircleAlert size={16} aria-hidden />} title={words.failed(sayTime(last_error.at))}>
          <p className="break-words">{last_error.message}</p>
        </Banner>
      )}
      {enabled && !last_message_at && (
        <Banner tone="info" icon={<Hourglass size={16} aria-hidden />} title={words.waiting}>
          {words.firstSteps[channel]}
        </Banner>
      )}
    </>
  );
}
