import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { t } from '../text/en.ts';
import { Button } from './button.tsx';
import { sayToast } from './toast.tsx';

interface CopyButtonProps {
  text: string;
  label?: string;
  /** What is copied, for those who do not see what stands beside the button. */
  about?: string;
}

/** Copies a text; where the browser refuses, says so. */
export function CopyButton({ text, label = t.ui.copy, about }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 2000);
    } catch {
      sayToast({ text: t.ui.cantCopy, bad: true });
    }
  };
  return (
    <Button
      icon={copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{copied ? t.ui.copied : label}</span>
      {about && <span className="sr-only"> {about}</span>}
    </Button>
  );
}
