import { Button, Progress, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { largestUpdateFile, type UpdateFile } from '#contract/updates/update-file.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { upload } from '#portal/app/upload.ts'
import { FilePick } from '#portal/ui/form/fields/FileBox.tsx'
import { writeBytes } from '#portal/ui/form/useRuleSentence.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'

interface Props {
  title: string
  file: UpdateFile | null
  /** The row that takes the file, and its path names. */
  row: AnyEndpoint
  params: Record<string, string>
}

/** The file of a firmware or database, and its upload with progress. */
export function FileCard({ title, file, row, params }: Props) {
  const { t } = useTranslation('update-file')
  const format = useFormat()
  const client = useQueryClient()
  const mayUpload = useMay(row)
  const [share, setShare] = useState<number>()
  const abort = useRef<AbortController>(undefined)
  const send = async (newFile: File) => {
    if (newFile.size === 0) return toast.error(new ApiError('UpdateFileEmpty'))
    if (newFile.size > largestUpdateFile) return toast.error(new ApiError('UpdateFileTooLarge'))
    abort.current = new AbortController()
    setShare(0)
    try {
      await upload(row, { params, file: newFile, onProgress: setShare, signal: abort.current.signal })
      toast.success('update-file:done')
      await client.invalidateQueries()
    } catch (error) {
      if (error instanceof ApiError) toast.error(error)
    } finally {
      setShare(undefined)
    }
  }
  const percent = share === undefined ? '' : format.percent(share)
  return (
    <Card title={title}>
      {file ? (
        <Facts
          facts={[
            {
              name: t('name'),
              value: (
                <Text span className="breaks">
                  {file.name}
                </Text>
              ),
            },
            { name: t('size'), value: writeBytes(file.bytes, format.number) },
            { name: t('sha256'), value: <CopyId value={file.sha256} isShort /> },
            { name: t('uploaded'), value: <When at={file.uploadedAt} /> },
          ]}
        />
      ) : (
        <Text c="dimmed">{t('none')}</Text>
      )}
      {mayUpload && share === undefined && (
        <FilePick take={(newFile) => void send(newFile)} mt="sm" variant={file ? 'default' : 'filled'}>
          {t(file ? 'replace' : 'choose')}
        </FilePick>
      )}
      {share !== undefined && (
        <Columns of="1fr auto" gap="sm" rowGap="near" align="center" mt="sm">
          <Progress className="whole" value={share * 100} aria-label={t('progress', { percent })} />
          <span role="status">{t('progress', { percent })}</span>
          <Button variant="default" onClick={() => abort.current?.abort()}>
            {t('cancel')}
          </Button>
        </Columns>
      )}
    </Card>
  )
}
