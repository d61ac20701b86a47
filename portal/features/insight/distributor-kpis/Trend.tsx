import { Change } from '#portal/ui/value/Change.tsx'

interface Props {
  /** Shares from 0 to 1, or counts; null without data. */
  now: number | null
  before: number | null
  kind: 'share' | 'count'
  isLessBetter?: boolean
}

/** The change against the days before; nothing without data on both sides. */
export const Trend = ({ now, before, kind, isLessBetter = true }: Props) =>
  now !== null &&
  before !== null && <Change value={now} before={before} isShare={kind === 'share'} isLessBetter={isLessBetter} />
