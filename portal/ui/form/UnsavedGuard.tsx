import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Search } from '../../app/search.ts'
import { ConfirmDialog } from '../ConfirmDialog.tsx'

const merchantIn = ({ search }: { search: unknown }) => (search as Search).merchant

/** Asks before unsaved changes are left behind, within the portal and at its door. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const { t } = useTranslation('ui')
  const { status, proceed, reset } = useBlocker({
    // Another merchant is another record, at the same place.
    shouldBlockFn: ({ current, next }) =>
      isDirty && (current.pathname !== next.pathname || merchantIn(current) !== merchantIn(next)),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  const question = status === 'blocked' && {
    title: t('form.unsavedTitle'),
    consequence: t('form.unsaved'),
    confirm: t('form.leave'),
    isDanger: true,
    act: () => proceed(),
  }
  return <ConfirmDialog asked={question || undefined} close={() => reset?.()} />
}
