import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ImportPreviewed, imports, largestImportedFile } from '#contract/imports/import.ts'
import type { ImportKind } from '#contract/imports/import-kinds.ts'
import { useCommand } from '#portal/app/api.ts'
import { ApiError, sentenceOf } from '#portal/app/apiError.ts'
import { useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/app/toast/toast.tsx'
import { writeBytes } from '#portal/ui/form/useRuleSentence.ts'
import { type FileContent, readFile } from '#portal/ui/import/readFile.ts'

interface Asked {
  merchantId: string
  kind: ImportKind
  file: FileContent
  mapping?: Record<string, number>
}

/** A file of some kind, what its columns mean, its preview, and the import of what was previewed. */
export function useFileImport(first: ImportKind) {
  const { t } = useTranslation(['import', 'errors'])
  const format = useFormat()
  const go = useGo()
  const merchant = useMerchant()
  const [merchantChoice, setMerchantChoice] = useState('')
  const [kind, setKind] = useState(first)
  const [file, setFile] = useState<FileContent>()
  const [shown, setShown] = useState<ImportPreviewed>()
  const [fault, setFault] = useState<string>()
  const preview = useCommand(imports.previewImport, { isQuiet: true })
  const save = useCommand(imports.createImport, { isQuiet: true })
  const merchantId = (merchant.isAll && merchantChoice) || merchant.id
  const say = (error: unknown) => setFault(sentenceOf((key, values) => t(key, values), error))

  const check = async ({ merchantId: of, ...body }: Asked) => {
    setFault(undefined)
    try {
      setShown(await preview.mutateAsync({ params: { merchantId: of }, body }))
    } catch (error) {
      setShown(undefined)
      say(error)
    }
  }
  const again = (change: Partial<Asked>) => {
    if (file) void check({ merchantId, kind, file, ...change })
  }
  return {
    merchantId,
    merchantChoice,
    kind,
    file,
    shown,
    fault,
    isChecking: preview.isPending,
    isSaving: save.isPending,
    chooseMerchant: (id: string) => {
      setMerchantChoice(id)
      again({ merchantId: id })
    },
    chooseKind: (next: ImportKind) => {
      setKind(next)
      setShown(undefined)
      again({ kind: next })
    },
    take: async (picked: File) => {
      if (preview.isPending) return
      setShown(undefined)
      setFile(undefined)
      if (picked.size > largestImportedFile)
        return setFault(t('import:tooLarge', { size: writeBytes(largestImportedFile, format.number) }))
      const content = await readFile(picked)
      setFile(content)
      await check({ merchantId, kind, file: content })
    },
    /** Says which field a column is; an empty field leaves it out. */
    map: (column: number, field: string) => {
      if (!shown) return
      const others = Object.entries(shown.mapping).filter(([name, at]) => at !== column && name !== field)
      const mapping = Object.fromEntries([...others, ...(field === '' ? [] : [[field, column] as const])])
      again({ mapping })
    },
    confirm: async () => {
      if (!file || !shown) return
      try {
        const body = { kind, file, mapping: shown.mapping, digest: shown.digest }
        const { created, updated } = await save.mutateAsync({ params: { merchantId }, body })
        const count = created + updated
        toast.success('import:done', { count, number: format.number(count) })
        await go({ to: '/manage/imports' })
      } catch (error) {
        if (error instanceof ApiError && error.code === 'ImportChanged')
          await check({ merchantId, kind, file, mapping: shown.mapping })
        say(error)
      }
    },
  }
}
