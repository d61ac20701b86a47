import { Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '#portal/app/toast/toast.tsx'
import { Wizard } from '#portal/ui/page/Wizard.tsx'

/** Three steps; the third requires the second. */
export function WizardSection() {
  const { t } = useTranslation('kit')
  const [isReady, setReady] = useState(false)
  return (
    <Wizard
      steps={[
        { key: 'first', name: t('wizard.first'), isComplete: true, content: <Text my="part">{t('fact.long')}</Text> },
        {
          key: 'second',
          name: t('wizard.second'),
          isComplete: isReady,
          content: (
            <Checkbox
              label={t('wizard.ready')}
              checked={isReady}
              onChange={(event) => setReady(event.currentTarget.checked)}
            />
          ),
        },
        { key: 'third', name: t('wizard.third'), isComplete: true, content: <Text my="part">{t('fact.long')}</Text> },
      ]}
      finish={() => toast.success('kit:toast.success')}
      finishName={t('wizard.finish')}
    />
  )
}
