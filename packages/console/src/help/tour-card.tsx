import { useNavigate } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { useContext } from 'react';
import { useMay, WorkspaceContext } from '../api/session.ts';
import { helpTexts } from '../text/help.ts';
import { Button } from '../ui/button.tsx';
import { bringBack } from '../welcome/checklist-away.ts';

/** Brings the first steps back to the start page. Without a workspace there are none. */
export function TourCard() {
  const workspace = useContext(WorkspaceContext);
  return workspace ? <Card w={workspace.id} /> : null;
}

function Card({ w }: { w: string }) {
  const navigate = useNavigate();
  const may = useMay();
  if (!may('workspace_admin')) return null;
  const show = () => {
    bringBack(w);
    void navigate({ to: '/w/$w/chat', params: { w } });
  };
  return (
    <section
      aria-label={helpTexts.tour}
      className="flex flex-wrap items-center gap-3 rounded-3 border border-line bg-bg px-4 py-3"
    >
      <Compass size={18} aria-hidden className="flex-none text-text-3" />
      <p className="min-w-0 flex-1 basis-60 text-label">
        <span className="font-medium">{helpTexts.tour}.</span> <span className="text-text-2">{helpTexts.tourHelp}</span>
      </p>
      <Button onClick={show}>{helpTexts.tourShow}</Button>
    </section>
  );
}
