import { useEffect, useState } from 'react';

/** The script that a page begins with; its name has a hash of what is in it. */
const entryScriptOf = (html: string) => /<script[^>]+src="(\/assets\/[^"]+)"/.exec(html)?.[1];

/** True once the server has another build than the one that this page runs. Looked at when the window gets the focus. */
export function useNewVersion(): boolean {
  const [isNew, setIsNew] = useState(false);
  useEffect(() => {
    const own = document
      .querySelector<HTMLScriptElement>('script[type="module"][src^="/assets/"]')
      ?.getAttribute('src');
    if (!own || isNew) return;
    let last = 0;
    const look = async () => {
      if (document.visibilityState !== 'visible' || Date.now() - last < 30_000) return;
      last = Date.now();
      try {
        const answer = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-store' });
        const script = answer.ok ? entryScriptOf(await answer.text()) : undefined;
        if (script && script !== own) setIsNew(true);
      } catch {
        // The server can not be reached; the bar for that says so.
      }
    };
    const onFocus = () => void look();
    window.addEventListener('focus', onFocus);
    document.addEventListener('visibilitychange', onFocus);
    return () => {
      window.removeEventListener('focus', onFocus);
      document.removeEventListener('visibilitychange', onFocus);
    };
  }, [isNew]);
  return isNew;
}
