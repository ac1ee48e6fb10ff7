#include "analyzer/python/decode.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hwsift::analyzer {
namespace {

std::string place(const Decoded& decoded) {
  return std::to_string(decoded.failure.line) + ":" + std::to_string(decoded.failure.col);
}

TEST(Decode, Utf8IsTheDefault) {
  Decoded decoded = decode_python_source("x = 'é'\n");
  EXPECT_TRUE(decoded.ok);
  EXPECT_EQ(decoded.source.text, "x = 'é'\n");
  EXPECT_EQ(decoded.source.encoding, "utf-8");
  EXPECT_FALSE(decoded.source.had_bom);
}

TEST(Decode, TheByteOrderMarkIsTakenOff) {
  Decoded decoded = decode_python_source("\xEF\xBB\xBFx = 1\n");
  EXPECT_TRUE(decoded.ok);
  EXPECT_TRUE(decoded.source.had_bom);
  EXPECT_EQ(decoded.source.text, "x = 1\n");
}

TEST(Decode, EmptyFileIsEmptyText) { EXPECT_TRUE(decode_python_source("").ok); }

TEST(Decode, LoneCarriageReturnsEndLines) {
  EXPECT_EQ(decode_python_source("a\rb\r\nc\r").source.text, "a\nb\r\nc\n");
}

TEST(Decode, BadUtf8NamesTheFirstBadByte) {
  Decoded decoded = decode_python_source("x = 1\ny = 'é\xff'\n");
  EXPECT_FALSE(decoded.ok);
  EXPECT_EQ(place(decoded), "2:7") << "columns count code points";
  EXPECT_EQ(decoded.failure.message, "'utf-8' codec can't decode byte 0xff");
  EXPECT_EQ(decoded.source.text, "x = 1\ny = 'é\xEF\xBF\xBD'\n");
}

TEST(Decode, BadUtf8IsFoundBeyondLongRunsOfAscii) {
  std::string bytes(1000, 'a');
  bytes += "\xC3(";
  EXPECT_EQ(place(decode_python_source(bytes)), "1:1001");
}

TEST(Decode, NullBytesMakeAFileBinary) {
  Decoded decoded = decode_python_source(std::string("x = 1\ny\0z", 9));
  EXPECT_FALSE(decoded.ok);
  EXPECT_EQ(place(decoded), "2:2");
  EXPECT_EQ(decoded.source.text, "");
}

TEST(Decode, Utf16IsNamed) {
  Decoded decoded = decode_python_source(std::string("\xFF\xFEx\0", 4));
  EXPECT_FALSE(decoded.ok);
  EXPECT_NE(decoded.failure.message.find("UTF-16"), std::string::npos);
}

struct CookieCase {
  const char* bytes;
  const char* text;
  const char* encoding;
};

TEST(Decode, CookiesAsPythonReadsThem) {
  const std::vector<CookieCase> cases = {
      {"# -*- coding: latin-1 -*-\nx = '\xE9'\n", "# -*- coding: latin-1 -*-\nx = 'é'\n", "iso-8859-1"},
      {"#!/bin/sh\n# vim: set fileencoding=iso-8859-15 :\n'\xA4'\n",
       "#!/bin/sh\n# vim: set fileencoding=iso-8859-15 :\n'€'\n", "iso-8859-15"},
      {"\f \t#coding:cp1252\n'\x80'", "\f \t#coding:cp1252\n'€'", "cp1252"},
      {"\n#coding=gbk\n'\xC4\xE3'", "\n#coding=gbk\n'你'", "gbk"},
      {"# coding: shift_jis\n'\x82\xA0'", "# coding: shift_jis\n'あ'", "shift_jis"},
      {"# coding: Shift-JIS\n'\x82\xA0'", "# coding: Shift-JIS\n'あ'", "Shift-JIS"},
      {"# coding: euc_kr\n'\xB0\xA1'", "# coding: euc_kr\n'가'", "euc_kr"},
      {"# coding: koi8-r\n'\xC1'", "# coding: koi8-r\n'а'", "koi8-r"},
      {"# coding: UTF-8\n'é'", "# coding: UTF-8\n'é'", "utf-8"},
      {"# coding: utf-8-unix\n'é'", "# coding: utf-8-unix\n'é'", "utf-8"},
      {"# coding: utf_8_sig\n'é'", "# coding: utf_8_sig\n'é'", "utf-8"},
      {"# coding: ISO_8859_1\n'\xE9'", "# coding: ISO_8859_1\n'é'", "iso-8859-1"},
      {"# coding: u8\n'é'", "# coding: u8\n'é'", "u8"},
      {"# encoding coding coding: latin1\n'\xE9'", "# encoding coding coding: latin1\n'é'", "latin1"},
      {"\xEF\xBB\xBF# coding: utf-8\n'é'", "# coding: utf-8\n'é'", "utf-8"},
      // none of these is a cookie
      {"x = 1 # coding: latin-1\n'é'", "x = 1 # coding: latin-1\n'é'", "utf-8"},
      {"x = 1\n# coding: latin-1\n'é'", "x = 1\n# coding: latin-1\n'é'", "utf-8"},
      {"\n\n# coding: latin-1\n'é'", "\n\n# coding: latin-1\n'é'", "utf-8"},
      {"# coding latin-1\n'é'", "# coding latin-1\n'é'", "utf-8"},
      {"# coding : latin-1\n'é'", "# coding : latin-1\n'é'", "utf-8"},
  };
  for (const CookieCase& expected : cases) {
    Decoded decoded = decode_python_source(expected.bytes);
    EXPECT_TRUE(decoded.ok) << expected.bytes << ": " << decoded.failure.message;
    EXPECT_EQ(decoded.source.text, expected.text);
    EXPECT_EQ(decoded.source.encoding, expected.encoding) << expected.bytes;
  }
}

struct FailureCase {
  const char* bytes;
  const char* place;
  const char* message;
};

TEST(Decode, CookiesThatPythonRefuses) {
  const std::vector<FailureCase> cases = {
      {"# coding: klingon\n", "1:11", "unknown encoding: klingon"},
      {"\n# coding=hex\n", "2:10", "unknown encoding: hex"},
      {"\xEF\xBB\xBF# coding: latin-1\n", "1:11", "encoding problem: latin-1 with BOM"},
      {"# coding: ascii\nx = '\xE9'", "2:6", "'ascii' codec can't decode byte 0xe9"},
      {"# coding: utf-8\n\xE9", "2:1", "'utf-8' codec can't decode byte 0xe9"},
      {"# coding: cp1252\n'a\x81'", "2:3", "'cp1252' codec can't decode byte 0x81"},
      {"# coding: gbk\n'\xC4'\n", "2:2", "'gbk' codec can't decode byte 0xc4"},
      {"# coding: gbk\n'\xC4", "2:2", "'gbk' codec can't decode byte 0xc4"},
      {"# coding: mac_greek\n", "1:11", "encoding 'mac_greek' of Python cannot be read by hwsift"},
      {"# coding: utf-16\n", "1:11", "encoding 'utf-16' of Python cannot be read by hwsift"},
  };
  for (const FailureCase& expected : cases) {
    Decoded decoded = decode_python_source(expected.bytes);
    EXPECT_FALSE(decoded.ok) << expected.bytes;
    EXPECT_EQ(place(decoded), expected.place) << expected.bytes;
    EXPECT_EQ(decoded.failure.message, expected.message);
  }
}

TEST(Decode, WhatCanBeReadOfABadFileIsKept) {
  EXPECT_EQ(decode_python_source("# coding: cp1252\n'\x81\x80'").source.text,
            "# coding: cp1252\n'\xEF\xBF\xBD€'");
  EXPECT_EQ(decode_python_source("# coding: klingon\nx").source.text, "");
}

}  // namespace
}  // namespace hwsift::analyzer
