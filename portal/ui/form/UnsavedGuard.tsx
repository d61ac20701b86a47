import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../dialog/ConfirmDialog.tsx'
import { recordIn } from './useKeptInput.ts'

/** The whole address, with its query but not what is open beside it. */
const allOf = ({ pathname, search }: { pathname: string; search: unknown }) =>
  pathname + JSON.stringify({ ...(search as object), panel: undefined })

interface Props {
  isDirty: boolean
  /** No other address edits the same values, with any query. */
  isOfWholeAddress?: boolean
}

/** Asks before unsaved changes are lost, on navigation in the portal and on leaving it. */
export function UnsavedGuard({ isDirty, isOfWholeAddress = false }: Props) {
  const { t } = useTranslation('ui')
  const placeIn = isOfWholeAddress ? allOf : recordIn
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && placeIn(current) !== placeIn(next),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  const question = status === 'blocked' && {
    title: t('form.unsavedTitle'),
    consequence: t('form.unsaved'),
    confirm: t('form.leave'),
    dismiss: { how: 'edit' } as const,
    isDanger: true,
    act: () => proceed(),
  }
  return <ConfirmDialog question={question || undefined} close={() => reset?.()} />
}
