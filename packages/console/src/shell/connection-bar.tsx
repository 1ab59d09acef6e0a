import { RefreshCw, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useOnline } from '../lib/online.ts';
import { t } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { useAfter } from '../ui/states.tsx';
import { secondsUntil } from './reconnect-delay.ts';
import type { Connection } from './use-live-events.ts';

const words = t.shell.connection;
/** Says that the page no longer hears from the server, and when it tries again; nothing while all is well. */
export function ConnectionBar({ connection }: { connection: Connection }) {
  const online = useOnline();
  const { state } = connection;
  const [wasLost, setWasLost] = useState(false);
  useEffect(() => {
    if (state === 'lost') setWasLost(true);
    if (state === 'live') setWasLost(false);
  }, [state]);
  if (!online) return <Bar text={words.offline} />;
  // While an attempt is under way the bar stays, so that it does not blink.
  if (state === 'lost' || (wasLost && state === 'joining')) return <LostBar connection={connection} />;
  if (state === 'catching-up') return <CatchingUpBar />;
  return null;
}

function LostBar({ connection: { retryAt, retry } }: { connection: Connection }) {
  const now = useNow();
  return (
    <Bar
      text={words.lost}
      more={retryAt && retryAt > now ? words.again(secondsUntil(retryAt, now)) : words.trying}
      onRetry={retry}
    />
  );
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return now;
}

const look = 'flex items-center gap-2 px-4 py-1.5 text-dense';

function CatchingUpBar() {
  if (!useAfter(300)) return null;
  return (
    <div role="status" className={`${look} bg-info-soft text-info`}>
      <RefreshCw size={14} aria-hidden />
      {words.catchingUp}
    </div>
  );
}

function Bar({ text, more, onRetry }: { text: string; more?: string | undefined; onRetry?: () => void }) {
  // A pause of a second is no news.
  if (!useAfter(1500)) return null;
  return (
    <div className={`${look} bg-warn-soft text-warn`}>
      <WifiOff size={14} aria-hidden />
      <span role="status">{text}</span>
      {/* Not read out: it changes every second. */}
      <span aria-hidden className="num flex-1">
        {more}
      </span>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          {words.tryNow}
        </Button>
      )}
    </div>
  );
}
