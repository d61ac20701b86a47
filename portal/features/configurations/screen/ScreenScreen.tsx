import { useTranslation } from 'react-i18next'
import { screenConfigurations } from '#contract/configurations/screen-configuration.ts'
import { screenSizes } from '#contract/configurations/screen-content.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'
import { SendButton } from './SendButton.tsx'

const tabs = {
  details: '/manage/screen-configuration/$screenConfigurationId',
  machines: '/manage/screen-configuration/$screenConfigurationId/pos',
  versions: '/manage/screen-configuration/$screenConfigurationId/versions',
}

/** A screen configuration: its editor, its machines, and its versions. */
export default function ScreenScreen() {
  const { t } = useTranslation('screen-configuration')
  const format = useFormat()
  return (
    <RecordPage
      get={screenConfigurations.getScreenConfiguration}
      param="screenConfigurationId"
      words="screen-configuration"
      remove={screenConfigurations.deleteScreenConfiguration}
      list="/manage/screen-configurations"
      subtitle={({ size, version, machines, machinesInSync }) => [
        `${screenSizes[size].width} × ${screenSizes[size].height}`,
        t('summary.version', { number: format.number(version) }),
        machines > 0
          ? t('summary.inSync', { number: format.number(machinesInSync), of: format.number(machines) })
          : null,
      ]}
      actions={(screen) => <SendButton screen={screen} />}
      tabs={tabs}
      counts={({ machines }) => ({ machines })}
    />
  )
}
