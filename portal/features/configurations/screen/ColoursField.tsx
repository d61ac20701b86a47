import { Button, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { colourNames, defaultColours, type ScreenColours } from '#contract/configurations/screen-content.ts'
import { contrastOf } from '#domain/frame/contrast.ts'
import { ColourInput } from '#portal/ui/form/fields/ColourInput.tsx'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import type { DrawField } from '#portal/ui/form/record/RecordFields.tsx'

/** Text below this contrast is hard to read (WCAG 2, 1.4.3). */
const enough = 4.5

/** The colors of the screen, with a note where text is hard to read. */
export const ColoursField: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...props }) => {
  const { t } = useTranslation('screen-configuration')
  const { value, set, leave, isFixed } = useField<ScreenColours, Record<string, unknown>>(props)
  const isFaint =
    contrastOf(value.text, value.background) < enough || contrastOf(value.buttonText, value.button) < enough
  return (
    <Stack gap="part" miw={0} className="whole">
      <SimpleGrid minColWidth={170} spacing="sm">
        {colourNames.map((name) => (
          <ColourInput
            key={name}
            label={t(`colour.${name}`)}
            value={value[name]}
            disabled={isFixed}
            error={props.form.errors[`colours.${name}`]}
            onChange={(colour) => set({ ...value, [name]: colour.toLowerCase() })}
            onBlur={leave}
          />
        ))}
      </SimpleGrid>
      {isFaint && (
        <Text c="dimmed" fz="fine">
          {t('colour.faint')}
        </Text>
      )}
      <div>
        <Button variant="subtle" disabled={isFixed} onClick={() => set(defaultColours)}>
          {t('colour.reset')}
        </Button>
      </div>
    </Stack>
  )
}
