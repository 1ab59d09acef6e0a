import { ExternalLink, KeyRound } from 'lucide-react';
import { welcomeTexts } from '../../text/welcome.ts';

interface ProviderLinksProps {
  providers: readonly { id: string; name: string; start_url: string }[];
  returnTo?: string | undefined;
}

/** Sign-in at identity providers. Links, so that the browser goes there itself. */
export function ProviderLinks({ providers, returnTo }: ProviderLinksProps) {
  const inNewTab = returnTo === undefined;
  const query = new URLSearchParams({ return_to: returnTo ?? '/sign-in?tab=1' });
  return providers.map(({ id, name, start_url }) => (
    <a
      key={id}
      href={`${start_url}?${query}`}
      {...(inNewTab && { target: '_blank', rel: 'noopener' })}
      className="flex h-10 items-center justify-center gap-2 rounded-2 border border-line-2 bg-surface px-4 font-medium text-text hover:bg-sunken pointer-coarse:h-11"
    >
      <KeyRound size={15} aria-hidden className="flex-none text-text-3" />
      <span className="truncate">{welcomeTexts.signIn.with(name)}</span>
      {inNewTab && (
        <>
          <ExternalLink size={13} aria-hidden className="flex-none text-text-3" />
          <span className="sr-only">({welcomeTexts.signIn.inNewTab})</span>
        </>
      )}
    </a>
  ));
}
