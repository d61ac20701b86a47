import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useGo } from '#portal/app/go.ts'
import { toast } from '../../app/toast/toast.tsx'
import { useConfirm } from '../dialog/ConfirmDialog.tsx'
import { type Blocking, InUseDialog } from './InUseDialog.tsx'

/** The error code of a record in use, and what its facts say, in the words of the record. */
export interface InUse {
  code: ErrorCode
  blockingOf: (facts: unknown, t: TFunction) => Blocking
}

interface Props {
  /** The language file of its words under `delete`. */
  kind: string
  name: string
  remove: () => Promise<unknown>
  /** Without it the record can always be deleted. */
  inUse?: InUse | undefined
  /** The list to open after the deletion. */
  list: string
}

/** Deletes the page's record after a confirmation, or shows what still uses it. */
export function DeleteButton({ kind, name, remove, inUse, list }: Props) {
  const { t } = useTranslation(kind)
  const client = useQueryClient()
  const go = useGo()
  const { ask, dialog } = useConfirm()
  const [blocking, setBlocking] = useState<Blocking>()
  const act = async () => {
    try {
      await remove()
    } catch (error) {
      if (inUse && error instanceof ApiError && error.code === inUse.code)
        return setBlocking(inUse.blockingOf(error.facts, t))
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
