import { FileAudio, File as FileIcon, FileSpreadsheet, FileText, FileVideo, Image, Presentation } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useAddress } from '../../chat/parts/file-bytes.ts';
import { hasPicture, type StoredFile, usePicture } from './files.ts';

function iconOf(type: string) {
  if (type.startsWith('image/')) return Image;
  if (type.startsWith('audio/')) return FileAudio;
  if (type.startsWith('video/')) return FileVideo;
  if (/sheet|csv/.test(type)) return FileSpreadsheet;
  if (type.includes('presentation')) return Presentation;
  return /^text\/|pdf|json|document/.test(type) ? FileText : FileIcon;
}

/** A small picture of a file where there is one, else a sign of its kind. It is asked for once the row is in view. */
export function FileSign({ file }: { file: StoredFile }) {
  const place = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element || !hasPicture(file)) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [file]);
  const address = useAddress(usePicture(file, 64, isSeen).data);
  const Icon = iconOf(file.content_type);
  return (
    <span ref={place} className="grid size-8 place-items-center overflow-hidden rounded-2">
      {address ? <img src={address} alt="" className="size-8 object-cover" /> : <Icon size={16} />}
    </span>
  );
}
