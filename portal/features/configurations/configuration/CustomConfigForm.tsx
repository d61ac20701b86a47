import { ActionIcon, Autocomplete, Button, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { type CustomConfig, configurations, WantedParameters } from '#contract/configurations/configuration.ts'
import { isNoVendParameter, mostWantedParameters } from '#contract/vocabulary/configuration.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/app/toast/toast.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { type SchemaForm, useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import classes from './Configuration.module.css'
import { Difference } from './Difference.tsx'

const schema = z.strictObject({ parameters: WantedParameters })
type Fields = z.infer<typeof schema>

const fieldsOf = ({ version, parameters }: CustomConfig) => ({ version, values: { parameters } })
const linesOf = (value: unknown) =>
  (value as Fields['parameters']).map(({ name, value: target }) => `${name} = ${target}`).join('\n')

/** The target parameters, each beside the machine's current value; saved together, and sent separately. */
export function CustomConfigForm({ custom, isReadOnly }: { custom: CustomConfig; isReadOnly: boolean }) {
  const { t } = useTranslation('configuration')
  const merchant = useMerchant()
  const params = { merchantId: merchant.id, posId: custom.posId }
  const record = {
    ...fieldsOf(custom),
    read: (answer: unknown) => fieldsOf(answer as CustomConfig),
    names: { parameters: t('custom.parameters') },
    say: (_field: string, value: unknown) => <span style={{ whiteSpace: 'pre-wrap' }}>{linesOf(value)}</span>,
  }
  const form = useSchemaForm<Fields>(schema, record.values)
  const update = useCommand(configurations.updateCustomConfig, { isQuiet: true })
  const save = async ({ parameters }: Fields, version: number) => {
    const saved = await update.mutateAsync({ params, body: { version, parameters } })
    toast.success('configuration:custom.saved')
    return saved
  }
  const { parameters } = form.getValues()
  const reported = custom.reported?.content ?? {}
  if (isReadOnly) return <ReadOnlyCard parameters={parameters} reported={reported} />
  return (
    <Card title={t('custom.parameters')}>
      <FormScreen form={form} record={record} save={save} isSaving={update.isPending} error={update.error}>
        <Text c="dimmed" fz="sm">
          {t('custom.hint')}
        </Text>
        <Stack gap="near">
          {parameters.map((_, index) => (
            // A parameter is identified by its position alone: its name is being typed.
            <ParameterRow key={index} form={form} index={index} reported={reported} />
          ))}
        </Stack>
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={parameters.length >= mostWantedParameters}
            onClick={() => form.insertListItem('parameters', { name: '', value: '' })}
          >
            {t('custom.add')}
          </Button>
        </div>
      </FormScreen>
    </Card>
  )
}

interface TargetProps {
  parameters: Fields['parameters']
  reported: Readonly<Record<string, string>>
}

/** The target parameters compared with what the machine has. */
function ReadOnlyCard({ parameters, reported }: TargetProps) {
  const { t } = useTranslation('configuration')
  return (
    <Card title={t('custom.parameters')}>
      {parameters.length === 0 ? (
        <Text c="dimmed" fz="sm">
          {t('custom.nothing')}
        </Text>
      ) : (
        <Difference
          before={Object.fromEntries(
            parameters.flatMap(({ name }) => (name in reported ? [[name, reported[name] ?? '']] : [])),
          )}
          after={Object.fromEntries(parameters.map(({ name, value }) => [name, value]))}
        />
      )}
    </Card>
  )
}

interface RowProps {
  form: SchemaForm<Fields>
  index: number
  reported: Readonly<Record<string, string>>
}

/** A parameter's name, its target value, and the machine's current value. */
function ParameterRow({ form, index, reported }: RowProps) {
  const { t } = useTranslation('configuration')
  const { parameters } = form.getValues()
  const { name = '', value = '' } = parameters[index] ?? {}
  const usedNames = new Set(parameters.map((one) => one.name))
  const free = Object.keys(reported).filter((one) => !usedNames.has(one) && !isNoVendParameter(one))
  const now = Object.hasOwn(reported, name) ? reported[name] : undefined
  return (
    <div className={classes.field}>
      <Autocomplete
        aria-label={t('custom.nameOf', { number: index + 1 })}
        placeholder={t('column.parameter')}
        data={free}
        limit={30}
        maxLength={60}
        {...form.getInputProps(`parameters.${index}.name`)}
        onOptionSubmit={(parameter) => {
          if (value === '') form.setFieldValue(`parameters.${index}.value`, reported[parameter] ?? '')
        }}
      />
      <TextInput
        aria-label={t('custom.valueOf', { name: name || index + 1 })}
        placeholder={t('column.value')}
        maxLength={500}
        {...form.getInputProps(`parameters.${index}.value`)}
      />
      <span className={classes.now} data-differs={now !== value || undefined}>
        {now === undefined ? t('custom.notThere') : t('custom.now', { value: now })}
      </span>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={t('custom.remove', { name: name || index + 1 })}
        title={t('custom.remove', { name: name || index + 1 })}
        onClick={() => form.removeListItem('parameters', index)}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}
