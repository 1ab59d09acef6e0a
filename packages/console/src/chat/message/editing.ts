import { create } from 'zustand';

/** Which message is being edited. */
export const useEditing = create<{ key: string | undefined }>(() => ({ key: undefined }));
