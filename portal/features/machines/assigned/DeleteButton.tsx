import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useGo } from '#portal/app/go.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { toast } from '#portal/ui/dialog/toast.tsx'
import { type Blocking, InUseDialog } from './InUseDialog.tsx'

interface Props {
  /** The file of its words of `delete`. */
  kind: string
  name: string
  remove: () => Promise<unknown>
  /** The error code of a record in use, and its details; without them the record can always be deleted. */
  inUse?: ErrorCode
  blockingOf?: (facts: unknown) => Blocking
  /** The list to open after the deletion. */
  list: string
}

/** Deletes the page's record after a confirmation, or shows what still uses it. */
export function DeleteButton({ kind, name, remove, inUse, blockingOf, list }: Props) {
  const { t } = useTranslation(kind)
  const client = useQueryClient()
  const go = useGo()
  const { ask, dialog } = useConfirm()
  const [blocking, setBlocking] = useState<Blocking>()
  const act = async () => {
    try {
      await remove()
    } catch (error) {
      if (blockingOf && error instanceof ApiError && error.code === inUse) return setBlocking(blockingOf(error.facts))
      toast.error(error)
      throw error
    }
    // The page is left first: its queries would fail after the deletion.
    await go({ to: list })
    toast.success(`${kind}:delete.done`, { name })
    await client.invalidateQueries()
  }
  return (
    <>
      <Button
        variant="default"
        onClick={() =>
          ask({
            title: t('delete.title', { name }),
            consequence: t('delete.consequence'),
            confirm: t('delete.confirm'),
            dismiss: { how: 'keep' },
            isDanger: true,
            act,
          })
        }
      >
        {t('delete.do')}
      </Button>
      {dialog}
      {blocking && (
        <InUseDialog title={t('delete.blocked', { name })} {...blocking} close={() => setBlocking(undefined)} />
      )}
    </>
  )
}
