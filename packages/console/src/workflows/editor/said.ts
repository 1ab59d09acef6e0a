import { create } from 'zustand';

/** What was done last, for those who do not see the canvas. */
export const useSaid = create<{ text: string }>(() => ({ text: '' }));

export const say = (text: string): void => useSaid.setState({ text });
