import { Box, Button, Flex, NativeSelect, Select, Stack, TextInput } from '@mantine/core'
import { IconPhoto, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { buttonPictures, type ScreenButton } from '#contract/configurations/screen-content.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { Products } from '#portal/features/catalogue/planogram/lines/useProductChoices.ts'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { FileChoice } from './FileChoice.tsx'
import { TextsInputs } from './TextsInputs.tsx'

const mostShown = 50

interface Props {
  button: ScreenButton
  number: number
  products: Products
  languages: readonly Language[]
  merchantId: string
  isFixed: boolean
  error: ReactNode
  change: (some: Partial<ScreenButton>) => void
  remove: () => void
}

/** The chosen button of the menu: its product, selection, texts and picture. */
export function ButtonPanel({
  button,
  number,
  products,
  languages,
  merchantId,
  isFixed,
  error,
  change,
  remove,
}: Props) {
  const { t } = useTranslation('screen-configuration')
  const [isChoosing, setChoosing] = useState(false)
  const { productId, selection, texts, picture } = button
  return (
    <Panel
      component="fieldset"
      mt="tight"
      p="sm"
      radius="inner"
      bg="transparent"
      aria-label={t('button.number', { number })}
    >
      <Box component="legend" py={0} px="snug" fw={600} fz="sm">
        {t('button.number', { number })}
      </Box>
      <Stack gap="sm">
        <Select
          label={t('button.product')}
          data={[...products.byId.keys()].map((id) => ({ value: id, label: products.labelOf(id) ?? id }))}
          value={productId}
          error={products.byId.has(productId) ? undefined : t('button.gone')}
          allowDeselect={false}
          searchable
          limit={mostShown}
          disabled={isFixed}
          onChange={(id) => id && change({ productId: id })}
        />
        <TextInput
          label={t('button.selection')}
          value={selection}
          error={error}
          maxLength={10}
          disabled={isFixed}
          onChange={({ currentTarget }) => change({ selection: currentTarget.value })}
        />
        <TextsInputs
          label={t('button.text')}
          languages={languages}
          texts={texts}
          placeholder={products.byId.get(productId)?.name}
          isFixed={isFixed}
          change={(next) => change({ texts: next })}
        />
        <NativeSelect
          label={t('button.picture')}
          value={picture}
          disabled={isFixed}
          data={buttonPictures.map((value) => ({ value, label: t(`button.from.${value}`) }))}
          onChange={({ currentTarget }) => {
            const next = currentTarget.value as ScreenButton['picture']
            if (next === 'file' && !button.fileId) setChoosing(true)
            else change({ picture: next })
          }}
        />
        <Flex rowGap="near" columnGap="sm" wrap="wrap" align="flex-end">
          {picture === 'file' && (
            <Button
              variant="default"
              leftSection={<IconPhoto size={15} aria-hidden />}
              disabled={isFixed}
              onClick={() => setChoosing(true)}
            >
              {t('button.choosePicture')}
            </Button>
          )}
          <Button
            variant="subtle"
            leftSection={<IconTrash size={15} aria-hidden />}
            disabled={isFixed}
            onClick={remove}
          >
            {t('button.remove')}
          </Button>
        </Flex>
        {isChoosing && (
          <FileChoice
            merchantId={merchantId}
            kind="picture"
            close={() => setChoosing(false)}
            choose={({ id }) => change({ picture: 'file', fileId: id })}
          />
        )}
      </Stack>
    </Panel>
  )
}
