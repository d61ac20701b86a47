import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { VpConfigurationBlockers, vpConfigurations } from '#contract/configurations/vp-configuration.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { machinesInUse } from '#portal/ui/assigned/machinesInUse.ts'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'

const one = '/devices/vp/configurations/$vpConfigurationId'
const tabs = { details: one, machines: `${one}/pos`, vpSend: `${one}/send`, vpFile: `${one}/download` }

/** A configuration of the visual programmer: its parameters, its machines, and its file. */
export default function VpScreen() {
  const { t } = useTranslation('vp-configuration')
  const format = useFormat()
  const number = (count: number) => ({ count, number: format.number(count) })
  return (
    <RecordPage
      get={vpConfigurations.getVpConfiguration}
      param="vpConfigurationId"
      words="vp-configuration"
      remove={vpConfigurations.deleteVpConfiguration}
      inUse={machinesInUse('VpConfigurationInUse', VpConfigurationBlockers)}
      list="/devices/vp/configurations"
      subtitle={({ deviceType, schemaVersion, machines, machinesInSync, problems }) => [
        deviceTypeNames[deviceType],
        t('summary.schema', { version: schemaVersion }),
        problems > 0 ? t('editor.mistakes', { count: problems }) : t('valid'),
        t('summary.machines', number(machines)),
        machines > 0 ? t('summary.inSync', number(machinesInSync)) : null,
      ]}
      actions={({ id }) => <CopyButton id={id} />}
      tabs={tabs}
      counts={({ machines }) => ({ machines })}
    />
  )
}

function CopyButton({ id }: { id: string }) {
  const { t } = useTranslation('vp-configuration')
  const go = useGo()
  return useMay(vpConfigurations.createVpConfiguration) ? (
    <Button
      variant="default"
      leftSection={<IconCopy size={15} aria-hidden />}
      onClick={() => void go({ to: '/devices/vp/configurations/create', search: { copy: id } })}
    >
      {t('copy.do')}
    </Button>
  ) : null
}
