import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Downgrade } from '#contract/updates/downgrade.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { type Confirmation, ConfirmDialog } from '#portal/ui/dialog/ConfirmDialog.tsx'

/** Sends an update. The server names machines with a newer version, and the user confirms them apart. Put `dialog` on the screen. */
export function useDowngrade() {
  const { t } = useTranslation('remote-command')
  const format = useFormat()
  const [question, setQuestion] = useState<Confirmation>()
  const answer = useRef<(isConfirmed: boolean) => void>(undefined)

  const isConfirmed = ({ machines, names }: Downgrade) =>
    new Promise<boolean>((resolve) => {
      answer.current = resolve
      setQuestion({
        title: t('downgrade.title'),
        consequence: t('downgrade.text', { count: machines, number: format.number(machines), names }),
        confirm: t('downgrade.do'),
        dismiss: { how: 'edit' },
        isDanger: true,
        act: () => resolve(true),
      })
    })

  /** The result of `sendNow`, called again when the user allows older versions; undefined if the user does not. */
  const send = async <T,>(sendNow: (allowDowngrade: boolean) => Promise<T>): Promise<T | undefined> => {
    try {
      return await sendNow(false)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'UpdateDowngrade') throw error
      return (await isConfirmed(Downgrade.parse(error.facts))) ? sendNow(true) : undefined
    }
  }
  const close = () => {
    answer.current?.(false)
    setQuestion(undefined)
  }
  return { send, dialog: <ConfirmDialog question={question} close={close} /> }
}
