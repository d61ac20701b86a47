import { Button, FileButton, TextInput } from '@mantine/core'
import { IconFile } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { updateTypes } from '#contract/vocabulary/update.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useRuleSentence } from '#portal/ui/form/useRuleSentence.ts'
import common from '../CommandText.module.css'
import classes from './CommandFields.module.css'
import { type Draft, parameterFaults } from './commandOrder.ts'
import { sha256Of } from './fileSum.ts'
import { PriceRows, SettingRows } from './ParameterRows.tsx'
import { ReleaseField } from './ReleaseField.tsx'
import step from './Step.module.css'
import { useFaults } from './useFaults.ts'

interface Props {
  draft: Draft
  change: (part: Partial<Draft>) => void
  currency: Currency | undefined
}

const sendConfig = 6
const sendPrices = 10
const sendVpConfig = 19

/** The parameters of a command, checked by the contract's own schema. */
export function CommandFields({ draft, change, currency }: Props) {
  const { t } = useTranslation('remote-command')
  const say = useRuleSentence()
  const found = parameterFaults(draft, currency)
  const faults = useFaults(found)
  const { type = 0 } = draft
  if (type === sendConfig || type === sendPrices) {
    const rows = { draft, change, faults, currency }
    const fault = found[''] ?? found[type === sendConfig ? 'settings' : 'prices']
    return (
      <div className={classes.fields}>
        {type === sendConfig ? <SettingRows {...rows} /> : <PriceRows {...rows} />}
        {fault && (
          <p className={common.warn} role="alert">
            {fault.key === 'rule.choice' ? t('field.twice') : say(fault)}
          </p>
        )}
      </div>
    )
  }
  if (updateTypes.includes(type)) return <ReleaseField key={type} {...{ draft, change, faults }} />
  if (type !== sendVpConfig) return null
  const text = (key: 'name' | 'url' | 'sha256' | 'bytes', path: string, placeholder: string) => (
    <TextInput
      label={t(`field.${key}`)}
      withAsterisk
      required
      autoComplete="off"
      spellCheck={false}
      placeholder={placeholder}
      maxLength={2048}
      inputMode={key === 'bytes' ? 'numeric' : undefined}
      value={draft[key]}
      onChange={(event) => change({ [key]: event.currentTarget.value })}
      onBlur={faults.leave(path)}
      error={faults.of(path)}
    />
  )
  return (
    <div className={classes.fields}>
      {text('name', 'name', '')}
      <fieldset className={classes.file}>
        <legend className={common.subtitle}>{t('field.file')}</legend>
        <p className={common.fine}>{t('field.fileText')}</p>
        {text('url', 'file.url', 'https://…')}
        <Measure change={change} />
        {text('sha256', 'file.sha256', '')}
        {text('bytes', 'file.bytes', '')}
      </fieldset>
    </div>
  )
}

/** Reads a copy of the file for its size and checksum; the file stays in the browser. */
function Measure({ change }: Pick<Props, 'change'>) {
  const { t } = useTranslation('remote-command')
  const [state, setState] = useState<{ name: string; isReading: boolean; hasFailed?: boolean }>()
  const read = async (file: File | null) => {
    if (!file) return
    setState({ name: file.name, isReading: true })
    try {
      change({ sha256: await sha256Of(file), bytes: String(file.size) })
      setState({ name: file.name, isReading: false })
    } catch {
      setState({ name: file.name, isReading: false, hasFailed: true })
    }
  }
  return (
    <div className={step.tools}>
      <FileButton onChange={(file) => void read(file)}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            loading={state?.isReading ?? false}
            leftSection={<IconFile size={15} aria-hidden />}
          >
            {t('field.measure')}
          </Button>
        )}
      </FileButton>
      <span className={common.fine} role="status">
        {state && (state.hasFailed ? t('field.unreadable', { file: state.name }) : state.name)}
      </span>
    </div>
  )
}
