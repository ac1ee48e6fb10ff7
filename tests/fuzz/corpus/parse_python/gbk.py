# coding: gbk
x = "你"
