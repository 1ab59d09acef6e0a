import { ExternalLink } from 'lucide-react';
import { agentTabTexts } from '../../text/agent-tabs.ts';
import { CopiedLine } from '../../triggers/made-secrets.tsx';
import { type Deployment, embedLine } from './deployments.ts';

const words = agentTabTexts.channels;

/** The addresses of a channel: the chat page and the line that embeds it, or where the other side posts to. */
export function ChannelAddresses({ deployment }: { deployment: Deployment }) {
  const { channel, page_path, embed_path, inbound_path, config } = deployment;
  if (!page_path || !embed_path)
    return <CopiedLine label={words.inbound[channel] ?? words.address} value={`${location.origin}${inbound_path}`} />;
  const origins = config['allowed_origins'];
  return (
    <div className="flex flex-col gap-4">
      <CopiedLine label={words.page} value={`${location.origin}${page_path}`} />
      <a
        href={page_path}
        target="_blank"
        rel="noreferrer"
        className="inline-flex w-fit items-center gap-1.5 font-medium pointer-coarse:min-h-11"
      >
        {words.openPage}
        <ExternalLink size={14} aria-hidden />
      </a>
      <div className="flex flex-col gap-1.5">
        <CopiedLine label={words.embed} value={embedLine(embed_path)} />
        <p className="text-caption text-text-3">
          {Array.isArray(origins) && origins.length ? words.embedFor(origins.join(', ')) : words.embedNowhere}
        </p>
      </div>
    </div>
  );
}
