import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AuditFileRow, auditFiles, largestAuditFiles, mostAuditFiles } from '#contract/audits/audit-file.ts'
import { useCommand } from '#portal/app/api.ts'
import { sentenceOf } from '#portal/app/apiError.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/app/toast/toast.tsx'
import { writeBytes } from '#portal/ui/form/useRuleSentence.ts'
import { type FileContent, readFile } from '#portal/ui/import/readFile.ts'

type ChosenFile = FileContent & { serial?: string }

/** Audit files of other systems, what is understood of them, and their storing. */
export function useAuditFiles() {
  const { t } = useTranslation(['audit-file', 'errors'])
  const format = useFormat()
  const merchant = useMerchant()
  const [merchantChoice, setMerchantChoice] = useState('')
  const [files, setFiles] = useState<readonly ChosenFile[]>([])
  const [rows, setRows] = useState<readonly AuditFileRow[]>([])
  const [isStored, setStored] = useState(false)
  const [fault, setFault] = useState<string>()
  const preview = useCommand(auditFiles.previewAuditFiles, { isQuiet: true })
  const store = useCommand(auditFiles.storeAuditFiles, { isQuiet: true })
  const merchantId = (merchant.isAll && merchantChoice) || merchant.id

  const say = (error: unknown) => setFault(sentenceOf((key, values) => t(key, values), error))
  async function check(chosen: readonly ChosenFile[], of = merchantId) {
    setFault(undefined)
    setFiles(chosen)
    if (chosen.length === 0) return
    try {
      const answer = await preview.mutateAsync({ params: { merchantId: of }, body: { files: [...chosen] } })
      setRows(answer.files)
      setStored(false)
    } catch (error) {
      setRows([])
      say(error)
    }
  }

  return {
    merchantId,
    merchantChoice,
    count: files.length,
    rows,
    isStored,
    fault,
    isChecking: preview.isPending,
    isSaving: store.isPending,
    chooseMerchant: (id: string) => {
      setMerchantChoice(id)
      void check(files, id)
    },
    take: async (picked: readonly File[]) => {
      if (preview.isPending || store.isPending) return
      setRows([])
      setFiles([])
      if (picked.length > mostAuditFiles) return setFault(t('tooMany', { files: format.number(mostAuditFiles) }))
      if (picked.reduce((bytes, { size }) => bytes + size, 0) > largestAuditFiles)
        return setFault(t('tooLarge', { size: writeBytes(largestAuditFiles, format.number) }))
      await check(await Promise.all(picked.map(readFile)))
    },
    /** Says which machine a file is of. */
    choose: (at: number, serial: string) =>
      void check(files.map((file, index) => (index === at ? { ...file, serial } : file))),
    confirm: async () => {
      setFault(undefined)
      try {
        const answer = await store.mutateAsync({ params: { merchantId }, body: { files: [...files] } })
        const count = answer.files.filter(({ outcome }) => outcome === 'new').length
        toast.success('audit-file:done', { count, number: format.number(count) })
        setRows(answer.files)
        setStored(true)
      } catch (error) {
        say(error)
      }
    },
  }
}
