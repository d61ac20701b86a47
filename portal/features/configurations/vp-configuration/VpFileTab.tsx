import { Button, FileButton, Flex, Input, Stack } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type VpConfiguration, VpFile, vpConfigurations } from '#contract/configurations/vp-configuration.ts'
import { vpDocumentBytes } from '#contract/configurations/vp-document.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { call, download } from '#portal/app/api.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { useRuleSentence, writeBytes } from '#portal/ui/form/useRuleSentence.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { sentenceOf } from '../../../app/apiError.ts'

/** The configuration as a file: download, and replacement by a file of the same model. */
export default function VpFileTab() {
  const { data } = useRecord(vpConfigurations.getVpConfiguration, 'vpConfigurationId')
  return data ? <FileCard configuration={data} /> : null
}

const underDocument = 'file.document.'

function FileCard({ configuration }: { configuration: VpConfiguration }) {
  const { t } = useTranslation(['vp-configuration', 'form', 'errors'])
  const format = useFormat()
  const say = useRuleSentence()
  const client = useQueryClient()
  const mayWrite = useMay(vpConfigurations.uploadVpConfiguration)
  const [faults, setFaults] = useState<readonly string[]>([])
  const { id: vpConfigurationId, merchantId, name, version } = configuration
  const params = { merchantId, vpConfigurationId }
  const fileName = `${name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '_')}.json`
  const upload = async (newFile: File | null) => {
    if (!newFile) return
    setFaults([])
    if (newFile.size > 2 * vpDocumentBytes)
      return setFaults([t('form:rule.fileSize', { maxBytes: writeBytes(vpDocumentBytes, format.number) })])
    const file = VpFile.safeParse(
      await newFile
        .text()
        .then(JSON.parse)
        .catch(() => undefined),
    )
    if (!file.success) return setFaults([t('vp-configuration:file.unreadable')])
    try {
      const saved = await call(vpConfigurations.uploadVpConfiguration, { params, body: { version, file: file.data } })
      await client.invalidateQueries()
      if (saved.version === version) toast.success('vp-configuration:file.same')
      else toast.success('vp-configuration:file.replaced')
    } catch (error) {
      const fields = error instanceof ApiError ? Object.entries(error.fields) : []
      setFaults([
        sentenceOf((key, values) => t(key, values), error),
        ...fields.map(([path, rule]) => `${path.replace(underDocument, '')}: ${say(rule)}`),
      ])
    }
  }
  return (
    <Card title={t('vp-configuration:file.title')}>
      <Stack gap="md" align="flex-start" maw={720}>
        <p>{t('vp-configuration:file.text')}</p>
        <Facts
          facts={[
            { name: t('vp-configuration:field.deviceType'), value: deviceTypeNames[configuration.deviceType] },
            { name: t('vp-configuration:column.schemaVersion'), value: configuration.schemaVersion },
            { name: 'SHA-256', value: <CopyId value={configuration.sha256} isShort /> },
          ]}
        />
        <Flex gap="near" wrap="wrap">
          <Button
            leftSection={<IconDownload size={15} aria-hidden />}
            onClick={() =>
              void download(vpConfigurations.downloadVpConfiguration, { params }, fileName).catch(toast.error)
            }
          >
            {t('vp-configuration:file.download')}
          </Button>
          {mayWrite && (
            <FileButton accept="application/json,.json" onChange={(newFile) => void upload(newFile)}>
              {(button) => (
                <Button {...button} variant="default" leftSection={<IconUpload size={15} aria-hidden />}>
                  {t('vp-configuration:file.upload')}
                </Button>
              )}
            </FileButton>
          )}
        </Flex>
        {faults.length > 0 && (
          <div role="alert">
            {faults.map((fault) => (
              <Input.Error key={fault}>{fault}</Input.Error>
            ))}
          </div>
        )}
      </Stack>
    </Card>
  )
}
